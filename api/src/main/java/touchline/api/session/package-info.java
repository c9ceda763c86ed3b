/**
 * Live sessions and their rows in the database: start, program, recording, end; and the check of
 * push keys.
 */
@NullMarked
package touchline.api.session;

import org.jspecify.annotations.NullMarked;
