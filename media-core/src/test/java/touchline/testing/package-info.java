/** Test support for several modules: settable time, synthetic media, text dumps. */
@NullMarked
package touchline.testing;

import org.jspecify.annotations.NullMarked;
