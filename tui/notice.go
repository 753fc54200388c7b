package tui

import (
	"time"
)

// notice is a sentence on the status line.
type notice struct {
	text    string
	isError bool
	at      time.Time
}

// keptNotices is the number of notices that can be read again.
const keptNotices = 100

// notify shows a sentence on the status line until the next key.
func (m *Model) notify(text string, isError bool) {
	m.notice = notice{text, isError, m.options.Now()}
	m.notices = append(m.notices, m.notice)
	m.notices = m.notices[max(0, len(m.notices)-keptNotices):]
}
