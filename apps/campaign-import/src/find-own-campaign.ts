import { NotFoundError } from '@stepwright/errors'
import type { Campaign, Campaigns } from './campaigns.ts'

/** @throws NotFoundError also for a campaign of somebody else */
export async function findOwnCampaign(
  campaigns: Campaigns,
  campaignId: string,
  caller: string,
): Promise<Campaign> {
  const campaign = await campaigns.find(campaignId)
  if (campaign?.owner_id === caller) return campaign
  throw new NotFoundError(`there is no campaign ${campaignId}`)
}
