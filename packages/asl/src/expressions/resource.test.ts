import { describe, expect, it } from 'vitest'
import { parseResource } from './resource.ts'

describe('parseResource', () => {
  it.each(['aws', 'aws-cn', `\${AWS::Partition}`, `\${Partition}`])(
    'knows an integration of %s',
    partition => {
      expect(parseResource(`arn:${partition}:states:::aws-sdk:s3:getObject.waitForTaskToken`)).toEqual({
        kind: 'service',
        service: 'aws-sdk:s3',
        action: 'getObject',
        pattern: 'waitForTaskToken',
        resource: 'getObject.waitForTaskToken',
      })
    },
  )

  it('knows activities and functions whose region and account are filled in later', () => {
    const place = `\${AWS::Region}:\${AWS::AccountId}`
    const activity = `arn:\${AWS::Partition}:states:${place}:activity:approve`
    expect(parseResource(activity)).toEqual({ kind: 'activity', arn: activity })
    const called = `arn:\${AWS::Partition}:lambda:${place}:function:work`
    expect(parseResource(called)).toEqual({ kind: 'function', arn: called })
  })

  it('reads a long text in linear time', () => {
    const before = process.threadCpuUsage()
    parseResource(`arn:${`\${a}$`.repeat(20_000)}`)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(500)
  })
})
