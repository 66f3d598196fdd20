/** What each shell has to be told, once; it asks the command itself for the rest. */
export const completionScripts = {
  bash: `# source <(stepwright completions bash)
_stepwright() {
  local line word files=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; continue; fi
    word="\${line%%$'\\t'*}"
    [[ $word == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done < <("\${COMP_WORDS[0]}" completions --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _stepwright stepwright
`,
  zsh: `#compdef stepwright
# source <(stepwright completions zsh), after compinit
_stepwright() {
  local line files=
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; continue; fi
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${line#*$'\\t'}:+:\${line#*$'\\t'}}")
  done < <("\${words[1]}" completions --words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#candidates )) && _describe stepwright candidates
  [[ -n $files ]] && _files
}
compdef _stepwright stepwright
`,
  fish: `# stepwright completions fish | source
function __stepwright_complete
    set -l before (commandline -opc)
    set -l command $before[1]
    set -e before[1]
    for line in ($command completions --words -- $before (commandline -ct) 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c stepwright -f -a "(__stepwright_complete)"
`,
} as const
