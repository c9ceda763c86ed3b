package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import touchline.api.access.SecretException;
import touchline.api.db.DatabaseException;

/** Names what an operator can mend when a server does not start. */
final class StartFailure {
    private static final String NATIVE_BIND = "^bind\\(\\.\\.\\) failed with error\\(-\\d+\\): ";
    private static final String FREE_SPACE = "free space on the disk";
    private static final String NOT_PERMITTED = "Operation not permitted";
    private static final String NO_SPACE = "No space left on device";

    private StartFailure() {}

    /**
     * Starts a server.
     *
     * @throws StartException in place of a failure of the surroundings; others are bugs and pass
     */
    static <T> T explained(Supplier<T> start) {
        try {
            return start.get();
        } catch (StartException e) {
            throw e;
        } catch (RuntimeException e) {
            throw explanation(e).map(text -> new StartException(text, e)).orElseThrow(() -> e);
        }
    }

    /** One or two lines; empty for a bug. */
    static Optional<String> explanation(RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure) {
            case DatabaseException database when database.isDiskFull() ->
                    Optional.of("db.url: the disk of the database is full" + advice(FREE_SPACE));
            case DatabaseException _, SecretException _, CommandException _ ->
                    Optional.of(message + hostAdvice(failure) + fileAdvice(failure));
            default -> explanationOfCauses(failure);
        };
    }

    private static Optional<String> explanationOfCauses(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isBind(cause)) {
                return Optional.of(listening(failure, cause));
            }
        }
        String unknownHost = hostAdvice(failure);
        if (!unknownHost.isEmpty()) {
            return Optional.of(messages(failure) + unknownHost);
        }
        return failure instanceof UncheckedIOException
                ? Optional.of(messages(failure) + fileAdvice(failure))
                : Optional.empty();
    }

    /** Netty's native sockets have an exception of their own. */
    private static boolean isBind(Throwable cause) {
        return cause instanceof BindException
                || (cause instanceof IOException
                        && String.valueOf(cause.getMessage()).startsWith("bind("));
    }

    private static String hostAdvice(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isUnknownHost(cause)) {
                return advice("no address is known for this host name");
            }
        }
        return "";
    }

    private static boolean isUnknownHost(Throwable cause) {
        return cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException
                || (cause instanceof SocketException
                        && "Unresolved address".equals(cause.getMessage()));
    }

    private static String listening(RuntimeException failure, Throwable cause) {
        String reason = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        String advice = "another process may hold the port; `./touchline doctor` names it";
        if (reason.contains("permission denied")) {
            advice = "set a port from 1024 on, or net.ipv4.ip_unprivileged_port_start";
        } else if (reason.contains("assign")) {
            advice = "the host is no address of this machine";
        }
        return "cannot listen: " + messages(failure) + advice(advice);
    }

    private static String fileAdvice(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = String.valueOf(cause.getMessage());
            if (cause instanceof AccessDeniedException || text.contains(NOT_PERMITTED)) {
                return advice(
                        "the server runs as user %s, which must own the data folder and what is in it"
                                .formatted(System.getProperty("user.name")));
            }
            if (text.contains(NO_SPACE)) {
                return advice(FREE_SPACE);
            }
        }
        return "";
    }

    private static String advice(String text) {
        return System.lineSeparator() + text;
    }

    /** The messages of the failure and its causes, outermost first, each once. */
    private static String messages(Throwable failure) {
        List<String> texts = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = message(cause);
            // An exception without a message of its own repeats its cause.
            boolean repeats = cause.getCause() != null && text.equals(cause.getCause().toString());
            if (!repeats
                    && !text.isEmpty()
                    && texts.stream().noneMatch(each -> each.contains(text))) {
                texts.add(text);
            }
        }
        return String.join(": ", texts);
    }

    /** Exceptions of the file system say only the file. */
    private static String message(Throwable failure) {
        String text = failure.getMessage();
        if (failure instanceof FileSystemException file && file.getReason() == null) {
            return words(failure) + ": " + file.getFile();
        }
        return text == null ? words(failure) : text.replaceFirst(NATIVE_BIND, "");
    }

    /** The name of an exception as words: AccessDeniedException is "access denied". */
    private static String words(Throwable failure) {
        return failure.getClass()
                .getSimpleName()
                .replaceFirst("Exception$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
