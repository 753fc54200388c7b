// Package export has the export dialog, which writes the protected file, a release, a report, a script or the
// recodes. New opens it; before a file with records is written, the pre-release checks run and critical findings
// must be accepted.
package export
