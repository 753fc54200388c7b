package crash

import "syscall"

// ForbidCore keeps the system from dumping the memory of the program, with its records, into a file. The limit alone
// does not hold where the system pipes dumps to a program; the flag also forbids other processes of the user to read
// the memory.
func ForbidCore() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	const setDumpable = 4 // PR_SET_DUMPABLE
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setDumpable, 0, 0)
}
