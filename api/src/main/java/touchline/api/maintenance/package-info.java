/** Periodic work: retention of assets, evidence and events, expired rows, free disk space. */
@NullMarked
package touchline.api.maintenance;

import org.jspecify.annotations.NullMarked;
