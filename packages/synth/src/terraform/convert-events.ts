import { block, type Convert, type Properties } from './convert.ts'

export const eventConverters: Readonly<Record<string, Convert>> = {
  'AWS::Events::Rule': (id, given, { value, json }) => {
    const [target] = given.Targets
    return {
      aws_cloudwatch_event_rule: block({
        description: given.Description,
        state: given.State,
        schedule_expression: given.ScheduleExpression,
        event_pattern: given.EventPattern && json(given.EventPattern),
      }),
      aws_cloudwatch_event_target: block({
        rule: `\${aws_cloudwatch_event_rule.${id}.name}`,
        target_id: target.Id,
        arn: value(target.Arn),
        role_arn: value(target.RoleArn),
        input: value(target.Input),
        dead_letter_config: { arn: value(target.DeadLetterConfig.Arn) },
        retry_policy: {
          maximum_event_age_in_seconds: target.RetryPolicy.MaximumEventAgeInSeconds,
          maximum_retry_attempts: target.RetryPolicy.MaximumRetryAttempts,
        },
      }),
    }
  },
  'AWS::SES::ConfigurationSet': (_id, given, { tags }) => ({
    aws_sesv2_configuration_set: {
      configuration_set_name: given.Name,
      delivery_options: { tls_policy: given.DeliveryOptions.TlsPolicy },
      reputation_options: { reputation_metrics_enabled: given.ReputationOptions.ReputationMetricsEnabled },
      tags,
    },
  }),
  'AWS::SES::ConfigurationSetEventDestination': (_id, given, { value }) => {
    const { EventDestination: destination } = given
    return {
      aws_sesv2_configuration_set_event_destination: {
        configuration_set_name: value(given.ConfigurationSetName),
        event_destination_name: destination.Name,
        event_destination: {
          enabled: destination.Enabled,
          matching_event_types: destination.MatchingEventTypes,
          event_bridge_destination: {
            event_bus_arn: value(destination.EventBridgeDestination.EventBusArn),
          },
        },
      },
    }
  },
  'AWS::CloudWatch::Alarm': (id, given, { value, tags, stackName }) => ({
    aws_cloudwatch_metric_alarm: {
      alarm_name: `${stackName}-${id}`,
      alarm_description: value(given.AlarmDescription),
      metric_query: given.Metrics.map((query: Properties) => toQuery(query, value)),
      comparison_operator: given.ComparisonOperator,
      threshold: given.Threshold,
      evaluation_periods: given.EvaluationPeriods,
      datapoints_to_alarm: given.DatapointsToAlarm,
      treat_missing_data: given.TreatMissingData,
      alarm_actions: value(given.AlarmActions),
      ok_actions: value(given.OKActions),
      tags,
    },
  }),
  'AWS::CloudWatch::Dashboard': (_id, given, { value }) => ({
    aws_cloudwatch_dashboard: {
      dashboard_name: given.DashboardName,
      dashboard_body: value(given.DashboardBody),
    },
  }),
}

function toQuery(
  { Id, Expression, ReturnData, MetricStat: stat }: Properties,
  value: (given: unknown) => unknown,
): object {
  return block({
    id: Id,
    expression: Expression,
    return_data: ReturnData,
    metric:
      stat &&
      block({
        namespace: stat.Metric.Namespace,
        metric_name: stat.Metric.MetricName,
        dimensions: Object.fromEntries(
          stat.Metric.Dimensions.map(({ Name, Value }: Properties) => [Name, value(Value)]),
        ),
        period: stat.Period,
        stat: stat.Stat,
      }),
  })
}
