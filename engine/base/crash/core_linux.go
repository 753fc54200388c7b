package crash

import "syscall"

// ForbidCore prevents core dumps, which would contain the records. The resource limit alone is not sufficient if
// the system pipes dumps to a program; the flag also prevents other processes of the user from reading the memory.
func ForbidCore() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	const setDumpable = 4 // PR_SET_DUMPABLE
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setDumpable, 0, 0)
}
