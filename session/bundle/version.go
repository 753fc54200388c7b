package bundle

import "github.com/sdcdesk/sdcdesk/session"

// ProgramVersion returns the version of the program; see session.ProgramVersion.
func ProgramVersion() string { return session.ProgramVersion() }
