package touchline.api.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import touchline.media.net.AddressRules;

/**
 * Resolves hosts to addresses that may be reached. A name is looked up once. All its addresses are
 * checked, and the connection uses exactly these. Literals in any spelling are parsed, never looked
 * up. Blocks on name resolution for a bounded time; any thread.
 */
final class AddressGuard {
    /** Looks up a name. */
    @FunctionalInterface
    interface Lookup {
        /**
         * All addresses of a name, at least one.
         *
         * @throws UnknownHostException where it has none
         */
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    private static final int THREADS = 16;
    private static final int WAITING = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final AddressRules rules;
    private final Lookup lookup;

    AddressGuard(AddressRules rules, Lookup lookup) {
        this.rules = rules;
        this.lookup = lookup;
    }

    /** With the system's resolver, which may hang: it has its own threads. */
    static AddressGuard ofSystem(AddressRules rules) {
        return new AddressGuard(rules, systemLookup());
    }

    private static Lookup systemLookup() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(WAITING),
                        Thread.ofPlatform().daemon().name("egress-dns-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
        return host -> {
            try {
                Future<List<InetAddress>> answer =
                        threads.submit(() -> List.of(InetAddress.getAllByName(host)));
                return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException | RejectedExecutionException _) {
                throw unknown();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw unknown();
            }
        };
    }

    /**
     * Returns the addresses of a host, after a check of each.
     *
     * @param host as written in a URL
     * @throws RefusedAddressException for a host with any refused address
     * @throws UnknownHostException where it has no address
     */
    List<InetAddress> permitted(String host) throws UnknownHostException {
        return checked(host, rules::permits, "an address that may not be reached");
    }

    /**
     * As {@link #permitted}, but the operator has to allow every address explicitly. For
     * connections without encryption.
     */
    List<InetAddress> allowedByName(String host) throws UnknownHostException {
        return checked(host, rules::allowsByName, "an address that http may not be used for");
    }

    private List<InetAddress> checked(String host, Predicate<InetAddress> rule, String refused)
            throws UnknownHostException {
        Optional<InetAddress> literal = AddressRules.literal(host);
        List<InetAddress> addresses =
                literal.isPresent() ? List.of(literal.get()) : lookup.addresses(host);
        if (!addresses.stream().allMatch(rule)) {
            throw new RefusedAddressException(
                    "the host leads to " + refused + " (see egress.allow)");
        }
        return addresses;
    }

    private static UnknownHostException unknown() {
        return new UnknownHostException("the host's name has no address now");
    }
}
