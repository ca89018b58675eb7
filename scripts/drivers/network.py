"""Network namespaces: each node of a cluster behind a link of its own, which can be cut. Needs root."""

import random
import subprocess
from collections.abc import Iterable


def ip(*words: str) -> bool:
    return subprocess.run(["ip", *words], capture_output=True).returncode == 0


class Network:
    """A bridge and a namespace for each node. `subnet` names it all: 10.x.y."""

    def __init__(self, subnet: str) -> None:
        self.subnet = subnet
        self.bridge = "th" + subnet.replace(".", "-")

    @classmethod
    def unused(cls) -> "Network":
        return cls(f"10.{random.randint(100, 250)}.{random.randint(1, 250)}")

    def host(self, node: int) -> str:
        return f"{self.subnet}.{node}"

    def link(self, node: int) -> str:
        """The end of a node's cable that is on the bridge."""
        return f"{self.bridge}-{node}"

    def up(self, nodes: Iterable[int]) -> None:
        steps = [f"link add {self.bridge} type bridge", f"addr add {self.subnet}.254/24 dev {self.bridge}"]
        steps += [f"link set {self.bridge} up"]
        for node in nodes:
            name = self.link(node)
            steps += [f"netns add {name}", f"link add {name} type veth peer name eth0 netns {name}"]
            steps += [f"link set {name} master {self.bridge}", f"link set {name} up"]
            steps += [f"-n {name} addr add {self.host(node)}/24 dev eth0", f"-n {name} link set eth0 up"]
            steps += [f"-n {name} link set lo up"]
        for step in steps:
            if not ip(*step.split()):
                raise SystemExit(f"ip {step} failed: network namespaces need root")

    def down(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            ip("netns", "del", self.link(node))
        ip("link", "del", self.bridge)

    def inside(self, node: int) -> list[str]:
        """What a command is started with to run in the namespace, as the user of PostgreSQL."""
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return ["nsenter", f"--net=/run/netns/{self.link(node)}", *user]

    def cut(self, node: int) -> None:
        """Nothing arrives any more, and nobody is told: no connection is closed."""
        ip("link", "set", self.link(node), "nomaster")

    def heal(self, node: int) -> None:
        ip("link", "set", self.link(node), "master", self.bridge)
