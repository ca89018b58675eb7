# Sourced by scripts/stack and .ci/run.

# A process that has ended stays listed until somebody asks for its exit code: that one counts as gone.
is_running() { [ -r "/proc/$1/stat" ] && ! grep -q ') Z ' "/proc/$1/stat" 2>/dev/null; }
