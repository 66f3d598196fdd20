#!/bin/sh
# Node with a limit of open files.
ulimit -n "$MAX_FILES"
exec "$NODE" "$@"
