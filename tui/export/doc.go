// Package export has the dialog that writes the protected file, a report, a script
// or the recodes.
package export
