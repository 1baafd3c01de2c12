# SPDX-License-Identifier: MIT
# cmake -D program=... -D share=... -P: the program's manual pages and completions, laid out as below /usr/share.

# PATH: what the program says to ARGN.
function(write_answer path)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${share}/${path} "${answer}")
endfunction()

file(REMOVE_RECURSE ${share})
write_answer(bash-completion/completions/heed completion bash)
write_answer(zsh/site-functions/_heed completion zsh)
write_answer(fish/vendor_completions.d/heed.fish completion fish)

execute_process(COMMAND ${program} manual --list OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" names "${names}")
list(REMOVE_ITEM names heed)
foreach(name IN LISTS names)
  string(REPLACE " " "-" page ${name})
  string(REGEX REPLACE "^heed " "" verb ${name})
  string(REPLACE " " ";" verb ${verb})
  write_answer(man/man1/${page}.1 manual ${verb})
endforeach()
write_answer(man/man1/heed.1 manual)  # last, since it stands for all of them
