//go:build !unix

package crash

// ForbidCore does nothing: the system writes no core dumps, and the Go runtime disables its error reports.
func ForbidCore() {}
