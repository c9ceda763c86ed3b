@NullMarked
package touchline.overlay.page;

import org.jspecify.annotations.NullMarked;
