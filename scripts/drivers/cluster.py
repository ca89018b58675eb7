"""A PostgreSQL cluster as ops/ha describes it, on loopback ports or in network namespaces: three nodes under Patroni, an etcd
member for each, and HAProxy in front. It has the interface of `Postgres`; a driver can also kill, freeze, cut off and restart
its nodes."""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from drivers.network import Network
from drivers.postgres import IS_ROOT, ROOT, programs
from drivers.processes import ended, family, is_running, send

NODES = (1, 2, 3)
READY_SECONDS = 180
# A killed node first replays the WAL since its last checkpoint, beside shoppers who use both cores.
HEALTHY_SECONDS = 600
NAMES = ["replica", *(f"{kind}-{node}" for kind in ("postgres", "rest", "etcd", "peer") for node in NODES)]
# Patroni runs as the user of PostgreSQL, who may read neither the checkout nor a Python of one's own.
PYTHON, PATRONI = "/usr/bin/python3", ROOT / ".tools" / "patroni"
OPS = ROOT / "ops" / "ha"


def request(url: str, method: str = "GET", body: Mapping[str, object] | None = None) -> Any:
    """The JSON that a REST interface answers; None if nobody does."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, method=method), timeout=5) as response:
            text = response.read().decode()
    except OSError:
        return None
    return json.loads(text) if text.startswith("{") else text


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "cluster.json"
        self.ports: dict[str, int] = {}
        self.password = ""
        # What the programs of a node find in their environment besides.
        self.env: dict[int, dict[str, str]] = {}
        # Without one all nodes are on the loopback interface.
        self.network: Network | None = None
        if self.file.exists():
            self.ports, self.password, subnet = json.loads(self.file.read_text()).values()
            self.network = Network(subnet) if subnet else None

    # What `Postgres` can do as well.

    def create(self, _settings: Mapping[str, str], ports: list[int]) -> None:
        self.folder.mkdir(parents=True)
        self.ports, self.password = dict(zip(NAMES, ports, strict=True)), secrets.token_hex(12)
        rules, own = (OPS / "patroni.yml").read_text(), "127.0.0.1/32"
        if self.network:
            self.network.up(NODES)
            # The nodes of a test have no certificates.
            rules = re.sub(
                rf"^( *- host .*){own}(.*)\n", rf"\g<0>\g<1>{self.network.subnet}.0/24\g<2>\n", rules, flags=re.M
            )
        (self.folder / "patroni.yml").write_text(rules)
        shutil.copy(OPS / "start-patroni", self.folder)
        shutil.copytree(next(PATRONI.glob("lib/python3*/site-packages")), self.folder / "python")
        for node in NODES:
            (self.folder / f"node-{node}").mkdir()
        if IS_ROOT:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "postgres", "postgres")

    def start(self, port: int) -> None:
        self.ports["primary"] = port
        subnet = self.network.subnet if self.network else ""
        self.file.write_text(json.dumps({"ports": self.ports, "password": self.password, "subnet": subnet}))
        for node in NODES:
            self.start_etcd(node)
        self.wait("etcd has a leader", self.etcd_is_healthy)
        for node in NODES:
            self.start_node(node)
        self.start_proxy()
        self.wait_healthy()

    @property
    def pid(self) -> int:
        return self.pid_of("haproxy")

    def stop(self) -> None:
        for kind, signal_ in (("haproxy", signal.SIGKILL), ("patroni", signal.SIGTERM), ("etcd", signal.SIGKILL)):
            pids = [int(path.read_text()) for path in self.folder.glob(f"{kind}*.pid")]
            # A frozen process ends only after it goes on.
            send(signal.SIGCONT, *(each for pid in pids for each in family(pid)))
            send(signal_, *pids)
            ended(pids, 60)
        for node in NODES:
            self.kill_node(node)
        if self.network:
            self.network.down(NODES)

    # Processes.

    def spawn(self, name: str, command: list[str], env: Mapping[str, str], node: int | None) -> None:
        """Starts a process of a node as the user of PostgreSQL; HAProxy is of none."""
        user: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []}
        if self.network and node:
            command, user = [*self.network.inside(node), *command], {}
        with (self.folder / f"{name}.log").open("a") as log:
            process = subprocess.Popen(
                command,
                cwd="/",
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **(user if IS_ROOT and node else {}),
            )
        (self.folder / f"{name}.pid").write_text(f"{process.pid}\n")

    def pid_of(self, name: str) -> int:
        return int((self.folder / f"{name}.pid").read_text())

    def address(self, name: str) -> str:
        node = name.rpartition("-")[2]
        host = self.network.host(int(node)) if self.network and node.isdigit() else "127.0.0.1"
        return f"{host}:{self.ports[name]}"

    def start_etcd(self, node: int) -> None:
        peers = ",".join(f"database-{each}=http://{self.address(f'peer-{each}')}" for each in NODES)
        client, peer = f"http://{self.address(f'etcd-{node}')}", f"http://{self.address(f'peer-{node}')}"
        env = {
            "ETCD_NAME": f"database-{node}",
            "ETCD_DATA_DIR": f"{self.folder}/node-{node}/etcd",
            "ETCD_LISTEN_PEER_URLS": peer,
            "ETCD_LISTEN_CLIENT_URLS": client,
            "ETCD_INITIAL_ADVERTISE_PEER_URLS": peer,
            "ETCD_ADVERTISE_CLIENT_URLS": client,
            "ETCD_INITIAL_CLUSTER": peers,
            "ETCD_INITIAL_CLUSTER_STATE": "new",
            "ETCD_INITIAL_CLUSTER_TOKEN": "thunse",
            # Three members on one busy disk would hold elections all the time.
            "ETCD_HEARTBEAT_INTERVAL": "300",
            "ETCD_ELECTION_TIMEOUT": "3000",
        }
        self.spawn(f"etcd-{node}", ["etcd"], env, node)

    def etcd_is_healthy(self) -> bool:
        answers = [request(f"http://{self.address(f'etcd-{node}')}/health") or {} for node in NODES]
        return all(answer.get("health") == "true" for answer in answers)

    def node_env(self, node: int) -> dict[str, str]:
        rest, postgres = self.address(f"rest-{node}"), self.address(f"postgres-{node}")
        hosts = ",".join(f'"{self.address(f"etcd-{each}")}"' for each in NODES)
        return {
            **self.env.get(node, {}),
            "PYTHONPATH": f"{self.folder}/python",
            "PATRONI_NAME": f"database-{node}",
            "PATRONI_RESTAPI_LISTEN": rest,
            "PATRONI_RESTAPI_CONNECT_ADDRESS": rest,
            "PATRONI_POSTGRESQL_LISTEN": postgres,
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": postgres,
            "PATRONI_POSTGRESQL_DATA_DIR": f"{self.folder}/node-{node}/data",
            "PATRONI_POSTGRESQL_BIN_DIR": str(programs()),
            "PATRONI_POSTGRESQL_PGPASS": f"{self.folder}/node-{node}/pgpass",
            "PATRONI_ETCD3_HOSTS": hosts,
            "PATRONI_SUPERUSER_PASSWORD": self.password,
            "PATRONI_REPLICATION_PASSWORD": self.password,
            "PATRONI_REWIND_PASSWORD": self.password,
        }

    def start_node(self, node: int) -> None:
        command = [PYTHON, f"{self.folder}/start-patroni", f"{self.folder}/patroni.yml"]
        self.spawn(f"patroni-{node}", command, self.node_env(node), node)

    def stop_node(self, node: int) -> None:
        """Patroni ends PostgreSQL first, as for an update of the machine."""
        pid = self.pid_of(f"patroni-{node}")
        send(signal.SIGTERM, pid)
        if not ended([pid], 60):
            raise SystemExit(f"Patroni of node {node} does not end")

    def patronictl(self, *words: str, text: str = "") -> str:
        """ops/ha/thunse-patronictl as an operator calls it; `text` answers its questions."""
        settings, program = self.folder / "patroni.env", self.folder / "patronictl"
        own = {name: value for name, value in self.node_env(NODES[0]).items() if name.startswith("PATRONI_")}
        settings.write_text("".join(f"{name}={value}\n" for name, value in own.items()))
        program.write_text(f"#!{PYTHON}\nfrom patroni.ctl import ctl\n\nctl()\n")
        program.chmod(0o755)
        script = (OPS / "thunse-patronictl").read_text()
        places = {"/etc/thunse/patroni.env": settings, "/opt/patroni/bin/patronictl": program}
        places["/etc/thunse/patroni.yml"] = self.folder / "patroni.yml"
        for path, place in places.items():
            script = script.replace(path, str(place))
        env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": f"{self.folder}/python"}
        command = ["sh", "-c", script, "thunse-patronictl", *words]
        done = subprocess.run(command, cwd="/", env=env, input=text, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"patronictl {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def start_proxy(self) -> None:
        env = {"PRIMARY_LISTEN": self.address("primary"), "REPLICA_LISTEN": self.address("replica")}
        for node in NODES:
            env |= {
                f"DATABASE_{node}": self.address(f"postgres-{node}"),
                f"PATRONI_{node}": str(self.ports[f"rest-{node}"]),
            }
        self.spawn("haproxy", ["haproxy", "-db", "-f", str(OPS / "haproxy.cfg")], env, None)

    # What a driver asks and does.

    def wait(self, what: str, holds: Callable[[], object], seconds: float = READY_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise SystemExit(f"after {seconds:.0f} s not yet: {what}: {self.views()}")
            time.sleep(0.1)

    def views(self) -> list[list[dict[str, Any]]]:
        """What the Patroni of each node says of all nodes: name, role, state, lag."""
        found = [request(f"http://{self.address(f'rest-{node}')}/cluster") for node in NODES]
        return [list(each["members"]) for each in found if isinstance(each, dict)]

    def primary(self, besides: int | None = None) -> int | None:
        """The node that is the primary now; one that is cut off may believe that it still is, and is not asked."""
        for node in (each for each in NODES if each != besides):
            found = request(f"http://{self.address(f'rest-{node}')}/primary")
            if isinstance(found, dict) and found.get("role") == "primary":
                return node
        return None

    def standbys(self) -> list[int]:
        return [node for node in NODES if node != self.primary()]

    def running(self) -> list[int]:
        return [node for node in NODES if self.processes(node)]

    def is_healthy(self) -> bool:
        """One primary, and two standbys that receive its WAL; those whose commits count are in the quorum. All nodes say the
        same: one that was cut off knows only what was before."""
        streaming = {("quorum_standby", "streaming"), ("sync_standby", "streaming"), ("replica", "streaming")}
        views, leaders = self.views(), set[str]()
        for members in views:
            roles = [(each["role"], each["state"]) for each in members]
            if len(roles) != len(NODES) or sum(role in streaming for role in roles) != 2:
                return False
            leaders |= {each["name"] for each in members if (each["role"], each["state"]) == ("leader", "running")}
        return len(views) == len(NODES) and leaders == {f"database-{self.primary()}"}

    def wait_healthy(self) -> None:
        self.wait("a primary with two standbys", self.is_healthy, HEALTHY_SECONDS)
        self.wait("the proxy reaches the primary", self.accepts_connections)

    def accepts_connections(self) -> bool:
        command = [f"{programs()}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.ports["primary"])]
        return subprocess.run(command).returncode == 0

    def processes(self, node: int, is_all: bool = True) -> list[int]:
        """Patroni, PostgreSQL and all below them; the postmaster is a child of init once Patroni has been killed. Or only
        PostgreSQL."""
        pid_files = [self.folder / f"patroni-{node}.pid"] if is_all else []
        pid_files += [self.folder / f"node-{node}/data/postmaster.pid"]
        pids = [int(file.read_text().split()[0]) for file in pid_files if file.exists()]
        return [each for pid in pids if is_running(pid) for each in family(pid)]

    def kill_node(self, node: int, is_all: bool = True) -> None:
        """What a power cut does to a machine; its etcd member stays, because another test is about that. Or Patroni stays
        as well, and only PostgreSQL dies."""
        pids = self.processes(node, is_all)
        # Stopped first: a child that is forked meanwhile would survive.
        send(signal.SIGSTOP, *pids)
        pids = sorted({*pids, *self.processes(node, is_all)})
        send(signal.SIGKILL, *pids)
        if not ended(pids, 60):
            raise SystemExit(f"node {node} is still running")

    def freeze(self, node: int) -> list[int]:
        """What an overloaded machine looks like from outside: its connections stay open, and nothing answers."""
        pids = self.processes(node)
        send(signal.SIGSTOP, *pids)
        return pids

    def kill(self) -> None:
        self.kill_node(self.primary() or 1)

    def configure(self, **settings: object) -> None:
        """Changes the settings that all nodes share."""
        node = self.primary() or 1
        if request(f"http://{self.address(f'rest-{node}')}/config", "PATCH", settings) is None:
            raise SystemExit(f"Patroni did not accept {settings}")

    def switch_over(self) -> None:
        """A planned change of the primary."""
        leader = self.primary()
        request(f"http://{self.address(f'rest-{leader}')}/switchover", "POST", {"leader": f"database-{leader}"})
