//go:build !unix

package crash

// ForbidCore does nothing: the system dumps no core, and the Go runtime turns off its error reports.
func ForbidCore() {}
