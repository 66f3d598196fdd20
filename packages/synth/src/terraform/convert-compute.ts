import { block, type Convert } from './convert.ts'

export const computeConverters: Readonly<Record<string, Convert>> = {
  'AWS::IAM::Role': (id, given, { json, tags }) => ({
    aws_iam_role: { assume_role_policy: json(given.AssumeRolePolicyDocument), tags },
    aws_iam_role_policy: {
      name: given.Policies[0].PolicyName,
      role: `\${aws_iam_role.${id}.id}`,
      policy: json(given.Policies[0].PolicyDocument),
    },
  }),
  'AWS::Logs::LogGroup': (_id, given, { tags }) => ({
    aws_cloudwatch_log_group: { name: given.LogGroupName, retention_in_days: given.RetentionInDays, tags },
  }),
  'AWS::Lambda::Function': (id, given, { value, tags, archiveOf }) => {
    const archive = `\${path.module}/${archiveOf(id)}`
    return {
      aws_lambda_function: block({
        function_name: given.FunctionName,
        description: given.Description,
        architectures: given.Architectures,
        runtime: given.Runtime,
        handler: given.Handler,
        filename: archive,
        source_code_hash: `\${filebase64sha256("${archive}")}`,
        role: value(given.Role),
        memory_size: given.MemorySize,
        timeout: given.Timeout,
        reserved_concurrent_executions: given.ReservedConcurrentExecutions,
        environment: { variables: value(given.Environment.Variables) },
        tracing_config: { mode: given.TracingConfig.Mode },
        logging_config: {
          log_group: value(given.LoggingConfig.LogGroup),
          log_format: given.LoggingConfig.LogFormat,
        },
        vpc_config: given.VpcConfig && {
          subnet_ids: value(given.VpcConfig.SubnetIds),
          security_group_ids: value(given.VpcConfig.SecurityGroupIds),
        },
        tags,
        // Lambda tries what a role may do when it makes a function.
        depends_on: [`aws_iam_role_policy.${id}Role`],
      }),
    }
  },
  'AWS::Lambda::EventInvokeConfig': (_id, given, { value }) => ({
    aws_lambda_function_event_invoke_config: {
      function_name: value(given.FunctionName),
      maximum_retry_attempts: given.MaximumRetryAttempts,
      destination_config: {
        on_failure: { destination: value(given.DestinationConfig.OnFailure.Destination) },
      },
    },
  }),
  'AWS::Lambda::EventSourceMapping': (_id, given, { value }) => ({
    aws_lambda_event_source_mapping: {
      event_source_arn: value(given.EventSourceArn),
      function_name: value(given.FunctionName),
      batch_size: given.BatchSize,
      function_response_types: given.FunctionResponseTypes,
    },
  }),
  'AWS::Lambda::Permission': (_id, given, { value }) => ({
    aws_lambda_permission: {
      action: given.Action,
      function_name: value(given.FunctionName),
      principal: given.Principal,
      source_arn: value(given.SourceArn),
    },
  }),
  'AWS::StepFunctions::StateMachine': (id, given, { value, template, tags, hasAliases }) => {
    const { LoggingConfiguration: logging } = given
    return {
      aws_sfn_state_machine: block({
        name: given.StateMachineName,
        type: given.StateMachineType,
        definition: template(given.DefinitionString, given.DefinitionSubstitutions),
        role_arn: value(given.RoleArn),
        publish: hasAliases ? true : undefined,
        logging_configuration: logging && {
          level: logging.Level,
          include_execution_data: logging.IncludeExecutionData,
          log_destination: `${value(logging.Destinations[0].CloudWatchLogsLogGroup.LogGroupArn)}:*`,
        },
        tracing_configuration: { enabled: given.TracingConfiguration.Enabled },
        tags,
        depends_on: [`aws_iam_role_policy.${id}Role`],
      }),
    }
  },
  // A machine that publishes has a version of its own each time.
  'AWS::StepFunctions::StateMachineVersion': () => ({}),
  'AWS::StepFunctions::StateMachineAlias': (_id, given, { value }) => ({
    aws_sfn_alias: {
      name: given.Name,
      routing_configuration: [
        {
          state_machine_version_arn: value(given.DeploymentPreference.StateMachineVersionArn),
          weight: 100,
        },
      ],
    },
  }),
  'AWS::Glue::Job': (_id, given, { value, tags }) => ({
    aws_glue_job: {
      name: given.Name,
      role_arn: value(given.Role),
      command: {
        name: given.Command.Name,
        python_version: given.Command.PythonVersion,
        script_location: value(given.Command.ScriptLocation),
      },
      glue_version: given.GlueVersion,
      worker_type: given.WorkerType,
      number_of_workers: given.NumberOfWorkers,
      timeout: given.Timeout,
      max_retries: given.MaxRetries,
      execution_property: { max_concurrent_runs: given.ExecutionProperty.MaxConcurrentRuns },
      default_arguments: given.DefaultArguments,
      tags,
    },
  }),
  'AWS::Glue::Database': (_id, given) => ({
    aws_glue_catalog_database: { name: given.DatabaseInput.Name },
  }),
  'AWS::Glue::Crawler': (_id, given, { value, tags }, { DependsOn = [] }) => ({
    aws_glue_crawler: {
      name: given.Name,
      role: value(given.Role),
      database_name: given.DatabaseName,
      s3_target: given.Targets.S3Targets.map(
        (target: { readonly Path: unknown; readonly Exclusions: unknown }) => ({
          path: value(target.Path),
          exclusions: target.Exclusions,
        }),
      ),
      schema_change_policy: {
        update_behavior: given.SchemaChangePolicy.UpdateBehavior,
        delete_behavior: given.SchemaChangePolicy.DeleteBehavior,
      },
      tags,
      depends_on: DependsOn.map(id => `aws_glue_catalog_database.${id}`),
    },
  }),
}
