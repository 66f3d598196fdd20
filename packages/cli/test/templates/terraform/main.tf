resource "aws_sfn_state_machine" "orders" {
  name       = "orders"
  role_arn   = aws_iam_role.orders.arn
  definition = templatefile("${path.module}/values.asl.json", { function = aws_lambda_function.work.arn })
}
