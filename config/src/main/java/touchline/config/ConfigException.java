package touchline.config;

import java.util.List;

/**
 * The configuration cannot be used. The message names every invalid key and its expected values. It
 * never contains the value of a secret key.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param problems one line each, at least one
     */
    ConfigException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
    }

    ConfigException(String problem) {
        this(List.of(problem));
    }
}
