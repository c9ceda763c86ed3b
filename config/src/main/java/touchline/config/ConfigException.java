package touchline.config;

import java.util.List;

/**
 * The configuration cannot be used. The message names every key at fault and what was expected of
 * it; values of secret keys are never part of it.
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
