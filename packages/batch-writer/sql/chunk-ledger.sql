CREATE TABLE IF NOT EXISTS "stepwright_chunk_ledger" (
  job text NOT NULL,
  chunk text NOT NULL,
  checksum text NOT NULL,
  attempt integer NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  inserted bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  duplicates bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  deleted bigint NOT NULL DEFAULT 0,
  rejections jsonb NOT NULL DEFAULT '[]',
  started_at timestamptz NOT NULL DEFAULT now(),
  -- NULL only while a scope is being cleared, which takes more than one transaction.
  completed_at timestamptz,
  PRIMARY KEY (job, chunk)
);
