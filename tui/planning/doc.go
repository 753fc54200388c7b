// Package planning has the dialogs of plans. Plans searches combinations of recodes with the suppression that
// remains, for a target k; Numbers tries masking methods for numeric variables.
package planning
