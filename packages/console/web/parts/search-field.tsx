interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  return (
    <input
      type="search"
      placeholder={placeholder}
      aria-label={label}
      value={value}
      onInput={event => onSearch(event.currentTarget.value)}
    />
  )
}
