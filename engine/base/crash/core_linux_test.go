package crash

import (
	"syscall"
	"testing"
)

// After ForbidCore, neither the limit nor the process allows a core dump.
func TestForbidCore(t *testing.T) {
	ForbidCore()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &limit); err != nil || limit != (syscall.Rlimit{}) {
		t.Errorf("the limit is %+v, %v", limit, err)
	}
	const getDumpable = 3 // PR_GET_DUMPABLE
	if dumpable, _, _ := syscall.RawSyscall(syscall.SYS_PRCTL, getDumpable, 0, 0); dumpable != 0 {
		t.Errorf("the process can be dumped: %d", dumpable)
	}
}
