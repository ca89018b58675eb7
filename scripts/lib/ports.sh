# Ports for private servers. Sourced by scripts/lib/postgres.sh and scripts/lib/s3.sh.

# free_ports N: N different ones, below those that the system lends to outgoing connections. A server that was killed starts
# again where it was, and one of those would meanwhile be taken by any client that connects to somebody else.
free_ports() {
  python3 - "$1" <<'PYTHON'
import random, socket, sys
try:
    lent = int(open("/proc/sys/net/ipv4/ip_local_port_range").read().split()[0])
except OSError:
    lent = 32768
# Where the system lends nearly all of them there is nothing below, and the usual ones are as good as any.
below = lent if lent > 17000 else 32768
taken = []
for port in random.sample(range(15000, below), 1000):
    server = socket.socket()
    try:
        server.bind(("127.0.0.1", port))
    except OSError:
        continue
    taken.append(server)
    if len(taken) == int(sys.argv[1]): break
else:
    sys.exit("no free port")
print(*(server.getsockname()[1] for server in taken))
PYTHON
}

free_port() { free_ports 1; }
