/** Creating, watching and mending indexes through the admin API. */
package io.hbaseindex.it.admin;
