package tui

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// notOnGroups returns the reason why a method cannot be used on a frequency table, or "".
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

// notOfGroups returns the reason why a measure does not apply to a frequency table, or "".
func notOfGroups(spec measure.Spec) func(m *Model) string {
	return unless("this is a frequency table, and it needs the records", func(m *Model) bool {
		return spec.Groups || held(m)
	})
}
