import type { Field } from './field.ts'

/** What Lambda's GetFunction answers. */
export const functionResponse: Readonly<Record<string, Field>> = {
  Configuration: {
    object: {
      FunctionName: { minLength: 1 },
      FunctionArn: 'string',
      Runtime: 'string',
      Role: 'string',
      Handler: 'string',
      CodeSize: 'number',
      Description: 'string',
      Timeout: { atLeast: 1, atMost: Number.POSITIVE_INFINITY },
      MemorySize: { atLeast: 128, atMost: 10_240 },
      LastModified: 'string',
      CodeSha256: 'string',
      Version: { minLength: 1 },
      VpcConfig: {
        object: {
          SubnetIds: { list: 'string' },
          SecurityGroupIds: { list: 'string' },
          VpcId: 'string',
          Ipv6AllowedForDualStack: 'boolean',
        },
      },
      DeadLetterConfig: { object: { TargetArn: 'string' } },
      Environment: {
        object: { Variables: { object: {} }, Error: { object: { ErrorCode: 'string', Message: 'string' } } },
      },
      KMSKeyArn: 'string',
      TracingConfig: { object: { Mode: { oneOf: ['Active', 'PassThrough'] } } },
      MasterArn: 'string',
      RevisionId: 'string',
      Layers: {
        list: {
          object: {
            Arn: { minLength: 1 },
            CodeSize: 'number',
            SigningProfileVersionArn: 'string',
            SigningJobArn: 'string',
          },
        },
      },
      State: {
        oneOf: [
          'Pending',
          'Active',
          'Inactive',
          'Failed',
          'Deactivating',
          'Deactivated',
          'ActiveNonInvocable',
          'Deleting',
        ],
      },
      StateReason: 'string',
      StateReasonCode: 'string',
      LastUpdateStatus: { oneOf: ['Successful', 'Failed', 'InProgress'] },
      LastUpdateStatusReason: 'string',
      LastUpdateStatusReasonCode: 'string',
      FileSystemConfigs: { list: { object: { Arn: 'string', LocalMountPath: 'string' } } },
      PackageType: { oneOf: ['Zip', 'Image'] },
      ImageConfigResponse: {
        object: {
          ImageConfig: {
            object: {
              EntryPoint: { list: 'string' },
              Command: { list: 'string' },
              WorkingDirectory: 'string',
            },
          },
          Error: { object: { ErrorCode: 'string', Message: 'string' } },
        },
      },
      SigningProfileVersionArn: 'string',
      SigningJobArn: 'string',
      Architectures: { list: { oneOf: ['x86_64', 'arm64'] } },
      EphemeralStorage: { object: { Size: { atLeast: 512, atMost: 10240 } } },
      SnapStart: {
        object: {
          ApplyOn: { oneOf: ['PublishedVersions', 'None'] },
          OptimizationStatus: { oneOf: ['On', 'Off'] },
        },
      },
      RuntimeVersionConfig: {
        object: {
          RuntimeVersionArn: { minLength: 26 },
          Error: { object: { ErrorCode: 'string', Message: 'string' } },
        },
      },
      LoggingConfig: {
        object: {
          LogFormat: { oneOf: ['JSON', 'Text'] },
          ApplicationLogLevel: { oneOf: ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] },
          SystemLogLevel: { oneOf: ['DEBUG', 'INFO', 'WARN'] },
          LogGroup: { minLength: 1 },
        },
      },
      CapacityProviderConfig: {
        object: {
          LambdaManagedInstancesCapacityProviderConfig: {
            object: {
              CapacityProviderArn: { minLength: 1 },
              PerExecutionEnvironmentMaxConcurrency: { atLeast: 1, atMost: 1600 },
              ExecutionEnvironmentMemoryGiBPerVCpu: { atLeast: 2.0, atMost: 8.0 },
            },
          },
        },
      },
      ConfigSha256: 'string',
      DurableConfig: {
        object: {
          RetentionPeriodInDays: { atLeast: 1, atMost: 90 },
          ExecutionTimeout: { atLeast: 1, atMost: 31622400 },
        },
      },
      TenancyConfig: { object: { TenantIsolationMode: { oneOf: ['PER_TENANT'] } } },
    },
  },
  Code: {
    object: {
      RepositoryType: 'string',
      Location: 'string',
      ImageUri: 'string',
      ResolvedImageUri: 'string',
      SourceKMSKeyArn: 'string',
    },
  },
  Tags: { object: {} },
  TagsError: { object: { ErrorCode: { minLength: 10 }, Message: { minLength: 84 } } },
  Concurrency: { object: { ReservedConcurrentExecutions: { atLeast: 0, atMost: Number.POSITIVE_INFINITY } } },
}
