// Package pages has the rooms before the workbench: the start page, the import page
// and the page where variables get their roles.
package pages
