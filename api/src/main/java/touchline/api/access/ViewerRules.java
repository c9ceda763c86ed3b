package touchline.api.access;

import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import touchline.media.net.AddressBlock;

/**
 * Which viewers a token is for, by its claims {@code ip} and {@code ref}. Immutable, any thread.
 *
 * @param addresses the viewer's lies in one of them; none: any does
 * @param referrers host names, lower-case, {@code *.} before one for all below it; none: any site,
 *     or none
 */
record ViewerRules(List<AddressBlock> addresses, List<String> referrers) {
    static final ViewerRules NONE = new ViewerRules(List.of(), List.of());

    static final int MAX_ENTRIES = 16;

    private static final int MAX_HOST_CHARACTERS = 253;
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?", Pattern.CASE_INSENSITIVE);
    private static final char ADDRESS = 'a';
    private static final char REFERRER = 'r';

    ViewerRules {
        addresses = List.copyOf(addresses);
        referrers = referrers.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }

    static boolean isHost(String text) {
        return text.length() <= MAX_HOST_CHARACTERS && HOST.matcher(text).matches();
    }

    /** Empty where this viewer may see it. */
    Optional<Refusal> refuse(InetAddress viewer, Optional<String> referrer) {
        if (!addresses.isEmpty() && addresses.stream().noneMatch(it -> it.contains(viewer))) {
            return Optional.of(Refusal.ADDRESS);
        }
        if (!referrers.isEmpty()
                && referrer.flatMap(ViewerRules::host).filter(this::names).isEmpty()) {
            return Optional.of(Refusal.REFERRER);
        }
        return Optional.empty();
    }

    private boolean names(String host) {
        for (String allowed : referrers) {
            boolean below = allowed.startsWith("*.");
            if (below ? host.endsWith(allowed.substring(1)) : host.equals(allowed)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> host(String referrer) {
        try {
            URI address = URI.create(referrer);
            String scheme = address.getScheme();
            boolean web = "https".equalsIgnoreCase(scheme) || "http".equalsIgnoreCase(scheme);
            return web
                    ? Optional.ofNullable(address.getHost()).map(h -> h.toLowerCase(Locale.ROOT))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** One rule a line; empty for {@link #NONE}. */
    String text() {
        StringBuilder text = new StringBuilder();
        addresses.forEach(block -> text.append(ADDRESS).append(block).append('\n'));
        referrers.forEach(host -> text.append(REFERRER).append(host).append('\n'));
        return text.toString();
    }

    /** Reads what {@link #text} has written. */
    static ViewerRules ofText(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        List<AddressBlock> addresses = new ArrayList<>();
        List<String> referrers = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.charAt(0) == ADDRESS) {
                addresses.add(AddressBlock.parse(line.substring(1)));
            } else {
                referrers.add(line.substring(1));
            }
        }
        return new ViewerRules(addresses, referrers);
    }
}
