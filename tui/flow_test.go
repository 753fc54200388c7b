package tui

import "testing"

func TestFirstFigures(t *testing.T) {
	d := survey(t, 120, 40)
	d.Pane("k-anonymity").Contains("3,702", "4,443", "4,704")
	t.Log("\n" + d.Text())
}
