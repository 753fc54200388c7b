package tui

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// notOnGroups says why a method cannot be used on a frequency table; "" where it can.
func notOnGroups(name string) func(m *Model) string {
	return func(m *Model) string {
		spec, ok := m.options.Methods.Find(name)
		if !ok || held(m) {
			return ""
		}
		if reason := spec.NeedsRecords(spec.New(), m.bench.scenario); reason != "" {
			return "this is a frequency table, and " + reason
		}
		return ""
	}
}

// notOfGroups says why a measure tells nothing of a frequency table; "" where it does.
func notOfGroups(spec measure.Spec) func(m *Model) string {
	return unless("this is a frequency table, and it needs the records", func(m *Model) bool {
		return spec.Groups || held(m)
	})
}
