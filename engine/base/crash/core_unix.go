//go:build unix && !linux

package crash

import "syscall"

// ForbidCore keeps the system from dumping the memory of the program, with its records, into a file.
func ForbidCore() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
