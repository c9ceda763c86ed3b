/** Backups of a running server as one archive, and their restoration into an empty data folder. */
@NullMarked
package touchline.api.backup;

import org.jspecify.annotations.NullMarked;
