# SPDX-License-Identifier: MIT
"""A Slurm of one node for tests: munged, slurmctld and slurmd as processes of this one, on the loopback device, with
their configuration, key, state and logs in a temporary folder. The machine's own services are neither used nor touched.

    with SlurmNode() as node:
        job = node.submit(script)
        node.wait(job)
"""
import ctypes
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "squeue", "scancel", "scontrol", "sinfo")
SKIPPED = 77  # ctest shows such a test as skipped
PATIENCE = 300  # seconds; what takes a moment may take long on a machine that has much to do
PR_SET_PDEATHSIG = 1

CONFIGURATION = """\
ClusterName=heed
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
SlurmdPort={node_port}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=2
MinJobAge=3600
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 RealMemory=16000 State=UNKNOWN
PartitionName=test Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def find_program(name):
    """Daemons live in /usr/sbin, which is not in everybody's PATH."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def skip_without(*programs):
    """Ends this process, with the reason, where one of these is not installed."""
    for name in programs:
        if find_program(name) is None:
            print(f"skipped: {name} is not installed; ./dev test --all installs it")
            sys.exit(SKIPPED)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def end_with_parent():
    """Of a daemon, before it starts: a test that is killed leaves none behind."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class SlurmNode:
    """Two CPUs; use it in `with`. `environment` is what sbatch and the like need to find it."""

    def __enter__(self):
        scratch = tempfile.TemporaryDirectory(prefix="heed-slurm-", dir="/tmp")  # a socket's path must be short
        self.scratch, self.folder, self.running = scratch, pathlib.Path(scratch.name), []
        try:
            self._write_configuration()
            self._start_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            if len(self.running) == len(DAEMONS) and all(daemon.poll() is None for daemon in self.running):
                self._ask("scancel", "--user", getpass.getuser(), check=False)
                self._until(lambda: not self.queue(check=False), "jobs end", patience=20, fatal=False)
        finally:
            for daemon in reversed(self.running):
                stop(daemon)
            self.running = []
            self.scratch.cleanup()

    def _write_configuration(self):
        self.folder.chmod(0o711)  # munged wants everybody to reach its socket
        for name in ("munge", "state", "spool", "logs"):
            (self.folder / name).mkdir(mode=0o711)
        controller_port, node_port = free_ports(2)
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder,
                                    controller_port=controller_port, node_port=node_port)
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        key = self.folder / "munge/key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))}
        self.environment = dict(kept, SLURM_CONF=str(self.folder / "slurm.conf"))

    def _start_all(self):
        munge = self.folder / "munge"
        self._start("munged", "--foreground", f"--socket={munge}/socket", f"--key-file={munge}/key",
                    f"--log-file={munge}/log", f"--pid-file={munge}/pid", f"--seed-file={munge}/seed")
        self._until((munge / "socket").exists, "munged opens its socket")
        configuration = self.environment["SLURM_CONF"]
        self._start("slurmctld", "-D", "-c", "-f", configuration)
        self._start("slurmd", "-D", "-N", "localhost", "-f", configuration)
        self._until(lambda: self._ask("sinfo", "--noheader", "--format=%T", check=False).strip() == "idle",
                    "the node is idle")

    def _start(self, name, *arguments):
        with open(self.folder / "logs" / name, "wb") as log:
            self.running.append(subprocess.Popen([find_program(name), *arguments], stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=log, env=self.environment, preexec_fn=end_with_parent))

    def _ask(self, *command, check=True):
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if check and result.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr}")
        return result.stdout

    def _until(self, condition, what, patience=PATIENCE, fatal=True):
        end = time.monotonic() + patience
        while not condition():
            for daemon in self.running:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} ended with {daemon.returncode}\n{self.logs()}")
            if time.monotonic() > end:
                if not fatal:
                    return
                raise RuntimeError(f"waited in vain until {what}\n{self.logs()}")
            time.sleep(0.05)

    def logs(self):
        return "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')[-4000:]}"
                         for path in sorted((self.folder / "logs").iterdir()))

    def submit(self, script, *arguments):
        """The number of the job."""
        return self._ask("sbatch", "--parsable", *arguments, str(script)).strip()

    def queue(self, *arguments, check=True):
        """[[job, state, ...]] of what is not over yet; arrays a task a line."""
        lines = self._ask("squeue", "--noheader", "--array", "--format=%i %T %r", *arguments, check=check)
        return [line.split(None, 2) for line in lines.splitlines()]

    def wait(self, *jobs):
        """Until these are over, or can never start. {task: its final state, as Slurm calls it}."""
        self._until(lambda: all(self._is_over(state) for job in jobs for state in self.states(job).values()),
                    f"jobs {', '.join(jobs)} end")
        return {task: state for job in jobs for task, state in self.states(job).items()}

    @staticmethod
    def _is_over(state):
        return state.split()[0] not in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING") or "DependencyNeverSatisfied" in state

    def states(self, job):
        """{17_3: COMPLETED, ...}; a job that waits has its reason after its state."""
        found = {}
        for line in self._ask("scontrol", "--oneliner", "show", "job", job).splitlines():
            fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
            task = fields["JobId"] if "ArrayTaskId" not in fields else f"{fields['ArrayJobId']}_{fields['ArrayTaskId']}"
            waits = fields["JobState"] == "PENDING"
            found[task] = fields["JobState"] + (f" {fields['Reason']}" if waits else "")
        return found

    def cancel(self, *arguments):
        self._ask("scancel", *arguments)


def stop(process):
    """By its own number only; gently, then not."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=20)
