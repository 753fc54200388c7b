// Package pages has the full-screen pages before the workbench: Start, Import shows how a file will be read, and
// Variables gives variables their roles.
package pages
