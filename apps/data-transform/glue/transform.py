"""The transform's job on AWS Glue 5 (Spark 3.5): what src/local/run-job.ts does by DuckDB, from the same job file.

It reads the raw files that Preflight listed, writes them as Parquet below its own run's prefix, computes the figures of
the table's rules by the SQL that Preflight wrote, and says so in _result.json. It publishes nothing: PublishPartition
does, once the run has ended. Messages that begin with "transform: " quote no data, and are shown to people.
"""

import json
import sys
import threading
import time
import zlib
from functools import reduce

import boto3
from awsglue.context import GlueContext
from awsglue.utils import getResolvedOptions
from pyspark.context import SparkContext

PEEK_BYTES = 65536


class TransformError(Exception):
    """A failure in words that quote nothing: Glue shows its message, and so does the workflow."""


args = getResolvedOptions(
    sys.argv,
    ["job_s3_uri", "correlation_id", "lock_table", "lock_key", "lock_token", "lock_seconds"],
)
spark = GlueContext(SparkContext.getOrCreate()).spark_session
s3 = boto3.client("s3")


def split_uri(uri):
    bucket, _, key = uri.removeprefix("s3://").partition("/")
    return bucket, key


def log(message, **fields):
    print(json.dumps({"message": message, "correlationId": args["correlation_id"], **fields}))


def keep_lock():
    """Renews the partition's lock while the job works. Whoever publishes asks whose it is."""
    table = boto3.client("dynamodb")
    seconds = int(args["lock_seconds"])
    while True:
        time.sleep(seconds / 3)
        until = time.time() + seconds
        try:
            table.update_item(
                TableName=args["lock_table"],
                Key={"id": {"S": args["lock_key"]}},
                UpdateExpression="SET in_progress_expiration = :ms, expiration = :s",
                ConditionExpression="#owner = :token AND #status = :working AND in_progress_expiration <= :ms",
                ExpressionAttributeNames={"#owner": "owner", "#status": "status"},
                ExpressionAttributeValues={
                    ":ms": {"N": str(int(until * 1000) + 10_000)},
                    ":s": {"N": str(int(until) + 11)},
                    ":token": {"S": args["lock_token"]},
                    ":working": {"S": "INPROGRESS"},
                },
            )
        except Exception as error:  # the job goes on: at worst its work is not published
            log("lock was not renewed", error=type(error).__name__)


def is_array(bucket, key):
    """Whether a JSON file is one array, which Spark has to be told; other files have an object a line."""
    head = s3.get_object(Bucket=bucket, Key=key, Range=f"bytes=0-{PEEK_BYTES - 1}")["Body"].read()
    if head[:2] == b"\x1f\x8b":
        head = zlib.decompressobj(wbits=31).decompress(head)
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["


def read_each(frames):
    """Columns go together by name; a file that lacks one has no values in it."""
    frames = [frame for frame in frames if frame.columns]
    if not frames:
        raise TransformError("transform: the raw files hold nothing")
    return reduce(lambda a, b: a.unionByName(b, allowMissingColumns=True), frames)


def read(job):
    bucket, keys = job["rawBucket"], [source["key"] for source in job["sources"]]
    uris = {key: f"s3://{bucket}/{key}" for key in keys}
    if job["fileType"] == "parquet":
        return spark.read.option("mergeSchema", "true").parquet(*uris.values())
    reader = spark.read.option("mode", "FAILFAST")
    if job["fileType"] == "csv":
        reader = (
            reader.option("header", "true").option("inferSchema", "true").option("multiLine", "true")
            .option("sep", job["delimiter"]).option("quote", '"').option("escape", '"')
        )
        return read_each([reader.csv(uri) for uri in uris.values()])
    arrays = [uris[key] for key in keys if is_array(bucket, key)]
    lines = [uri for uri in uris.values() if uri not in arrays]
    groups = [(arrays, "true"), (lines, "false")]
    return read_each([reader.option("multiLine", each).json(group) for group, each in groups if group])


def shape(frame, job):
    # A value that does not fit fails the job: in ANSI mode nothing becomes null.
    spark.conf.set("spark.sql.ansi.enabled", "true")
    given = [(column["name"], column["type"]) for column in job["schema"] if column["type"]]
    known = {name.lower(): kind for name, kind in [*given, *job["types"].items()]}
    for name in [each for each in frame.columns if each.lower() in known]:
        frame = frame.withColumn(name, frame[f"`{name.replace('`', '``')}`"].cast(known[name.lower()]))
    return frame.distinct() if job["deduplicate"] else frame


def measure(frame, job):
    # The SQL of metrics is the same for DuckDB: its names are in double quotes.
    spark.conf.set("spark.sql.ansi.doubleQuotedIdentifiers", "true")
    known = set(frame.columns)
    figures = [f"cast({m['sql']} AS double)" if m["column"] in known else "NULL" for m in job["metrics"]]
    count, *found = frame.selectExpr("count(*)", *figures).first()
    columns = [{"name": field.name, "type": field.dataType.simpleString()} for field in frame.schema.fields]
    none = {"kinds": 0, "whole": 0, "fraction": 0, "digits": 0}  # of what Spark has guessed, only the type is known
    learned = [{"name": each["name"], "evidence": {**none, "assumed": each["type"]}} for each in columns]
    return {"rowCount": count, "columns": columns, "figures": found, "learned": learned}


def main():
    threading.Thread(target=keep_lock, daemon=True).start()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    bucket, key = split_uri(args["job_s3_uri"])
    job = json.loads(s3.get_object(Bucket=bucket, Key=key)["Body"].read())
    prefix = f"{key.removesuffix('_job.json')}{args['JOB_RUN_ID']}/"
    s3.put_object(Bucket=bucket, Key=f"{prefix}_started.json", Body=b"{}")
    shape(read(job), job).write.mode("append").parquet(f"s3://{bucket}/{prefix}")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
    written = [item for page in pages for item in page.get("Contents", [])]
    files = [{"key": each["Key"], "size": each["Size"]} for each in written if each["Key"].endswith(".parquet")]
    result = {**measure(spark.read.parquet(f"s3://{bucket}/{prefix}"), job), "files": files}
    s3.put_object(Bucket=bucket, Key=f"{prefix}_result.json", Body=json.dumps(result).encode())
    log("job ended", rowCount=result["rowCount"])


try:
    main()
except TransformError:
    raise
except Exception as error:  # Spark's own words quote rows, and would stand in the history of the execution
    raise TransformError(f"transform: the job broke off ({type(error).__name__})") from None
