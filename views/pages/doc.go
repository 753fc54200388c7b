// Package pages has full-screen pages: Record explains the risk of one record, Inspector describes one variable.
package pages
