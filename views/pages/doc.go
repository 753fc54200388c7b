// Package pages has the pages of one record and of one variable, which take the whole
// screen.
package pages
