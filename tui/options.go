package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/job"
)

// Options configure the program.
type Options struct {
	Path     string                     // the file to open; "": the start page
	Demo     bool                       // open the demonstration at once
	Override func(*fileio.Format) error // format options of the command line; nil: none
	Memory   int64                      // bytes that reading a file may use; 0: the default
	Scratch  *store.Store               // store for the records of a resumed session; nil: in memory
	Journal  string                     // path of the journal; "": in the state folder
	NoTrace  bool                       // write nothing but exports: no journal is kept or resumed
	Patterns *identify.Patterns         // patterns of identifiers; nil: the built-in ones
	Theme    string                     // "dark", "light", "none"; "": that of the terminal
	OpenDemo Opener                     // opens the demonstration
	// NamedDemo returns an opener for a named demonstration, such as one of another size; nil: there is only
	// OpenDemo.
	NamedDemo func(name string) Opener
	// OpenLesson opens the file of a lesson; nil: there are no lessons.
	OpenLesson func(ctx context.Context, l *lesson.Lesson, meter *progress.Meter) (session.Opening, error)
	Lesson     string                                                     // the lesson to begin with, by its name or the path of its script; "": none
	Learner    uint64                                                     // seed of the order in which answers are listed
	Recent     func(*session.MethodSource) ([]session.JournalInfo, error) // lists sessions for the start page
	Methods    method.Catalog                                             // the available methods; nil: all
	Measures   measure.Catalog                                            // the available measures; nil: all
	Now        func() time.Time                                           // the clock; nil: the system's
	After      job.Timer                                                  // timer; nil: the system's
	// limit for the search for a step; 0: as set in its dialog
	Longest time.Duration
}

// Opener makes the data that a session starts from, with a complete scenario.
type Opener func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error)

// known returns how to open the sources named in session files. Demonstrations come from NamedDemo, otherwise from
// OpenDemo.
func (o *Options) known() *session.MethodSource {
	var remake session.Maker
	if open := o.OpenDemo; open != nil {
		remake = func(ctx context.Context, name string, meter *progress.Meter) (session.Opening, error) {
			opener := open
			if o.NamedDemo != nil {
				opener = o.NamedDemo(name)
			}
			opening, _, err := opener(ctx, meter)
			return opening, err
		}
	}
	return &session.MethodSource{Methods: o.Methods, Remake: remake}
}

func (o *Options) complete() {
	if o.Methods == nil {
		o.Methods = catalog.Methods()
	}
	if o.Measures == nil {
		o.Measures = catalog.Measures()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = tea.Tick
	}
	if o.Recent == nil {
		o.Recent = session.ListJournals
	}
	if o.NoTrace {
		o.Recent = func(*session.MethodSource) ([]session.JournalInfo, error) { return nil, nil }
	}
	if o.Override == nil {
		o.Override = func(*fileio.Format) error { return nil }
	}
}
