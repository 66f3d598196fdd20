/** By SQLSTATE. The server's own words repeat the value, and come in the server's language. */
const reasons: Readonly<Record<string, string>> = {
  '21000': 'another row of the statement has the same key',
  '22001': 'the text is too long',
  '22003': 'the number is out of range',
  '22007': 'this is not a date or time',
  '22008': 'the date or time is out of range',
  '22021': 'the text holds a character that cannot be stored',
  '22026': 'the bits are not as many as they must be',
  '22P02': 'the value does not have the form of its type',
  '22P05': 'the text holds a character that cannot be stored',
  '23502': 'a value is missing',
  '23503': 'the row refers to one that does not exist',
  '23505': 'another row has the same key',
  '23514': 'the row breaks a rule of the table',
  '23P01': 'the row excludes another one',
  '42501': 'a row level security policy does not allow the row',
  '42601': 'the value has a syntax error',
  '44000': 'the row breaks a rule of the view',
  '54000': 'a value is too long for an index',
}

/** Why the database refused a row, without what is in it. A trigger's RAISE is a message for people: it stays. */
export function reasonOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'P0001') return message
  return (
    reasons[code] ??
    (code.startsWith('23') ? 'the row breaks a constraint' : 'the value does not fit its type')
  )
}
