// Package viewtest is for tests only. It builds states of the workbench, such as SurveyAt, and presses keys in
// panes.
package viewtest
