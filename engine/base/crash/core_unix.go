//go:build unix && !linux

package crash

import "syscall"

// ForbidCore prevents core dumps, which would contain the records.
func ForbidCore() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
