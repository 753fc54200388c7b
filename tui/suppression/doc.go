// Package suppression has the dialogs of local suppression: k-anonymity, a risk threshold, and unsafe
// combinations. NewForm returns the dialog of a method.
package suppression

import (
	"github.com/sdcdesk/sdcdesk/engine/method"
	combine "github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// NewForm opens the form of a method of local suppression that shows more than its parameters, or returns nil for
// other methods.
func NewForm(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	switch m := m.(type) {
	case *suppress.KAnonymity:
		return newKAnonymity(s, spec, m)
	case *suppress.AboveRisk:
		return newRiskThreshold(s, spec, m)
	case *combine.Suppression:
		return newCombinations(s, spec, m)
	}
	return nil
}
