package touchline.overlay.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import touchline.config.OverlayConfig;
import touchline.media.net.AddressRules;

/**
 * Pages in a headless Chromium: one browser for all, one context and one filtering proxy per page.
 * Any thread.
 */
public final class ChromiumRenderer implements PageRenderer {
    private final OverlayConfig config;
    private final FilteringProxy.Dependencies proxyDependencies;
    private final BrowserChoice choice;
    private final BrowserHost host;
    private final ResourceWatch watch;
    private final Set<ChromiumPage> pages = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * Starts no browser: the first page does.
     *
     * @param rules addresses that pages may reach
     * @param sites sites inside this process, by host name
     */
    public ChromiumRenderer(
            OverlayConfig config, AddressRules rules, Map<String, InternalSite> sites) {
        this(config, new FilteringProxy.Dependencies(rules, HostLookup.ofSystem(), sites));
    }

    ChromiumRenderer(OverlayConfig config, FilteringProxy.Dependencies proxyDependencies) {
        this.config = config;
        this.proxyDependencies = proxyDependencies;
        this.choice = new BrowserChoice(config);
        this.host = new BrowserHost(choice, config.allowNoSandbox());
        this.watch = ResourceWatch.start(host, config.pages());
    }

    /**
     * Starts the configured browser as for a page, and ends it.
     *
     * @throws DevToolsException pages cannot be shown; the message is for the operator
     */
    public static BrowserFacts probe(OverlayConfig config) throws InterruptedException {
        try (RunningBrowser running =
                RunningBrowser.start(new BrowserChoice(config).launch(), config.allowNoSandbox())) {
            return running.facts();
        } catch (IOException e) {
            throw new DevToolsException("Chromium cannot be started: " + e.getMessage(), e);
        }
    }

    @Override
    public RenderedPage open(PageRequest request, PageListener listener) {
        if (closed) {
            throw new IllegalStateException("the renderer is closed");
        }
        FilteringProxy proxy;
        try {
            proxy = FilteringProxy.open(request.streamId(), proxyDependencies, config.pages());
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a page's proxy", e);
        }
        pages.removeIf(ChromiumPage::ended);
        ChromiumPage page =
                ChromiumPage.open(
                        new ChromiumPage.Dependencies(host, watch), request, listener, proxy);
        pages.add(page);
        return page;
    }

    @Override
    public Optional<String> unavailable() {
        if (host.running().isPresent()) {
            return Optional.empty();
        }
        try {
            choice.launch();
            return host.problem();
        } catch (DevToolsException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public Optional<BrowserFacts> browser() {
        return host.running().map(RunningBrowser::facts);
    }

    @Override
    public long browserStarts() {
        return host.starts();
    }

    @Override
    public long browserCrashes() {
        return host.crashes();
    }

    @Override
    public void close() {
        closed = true;
        pages.forEach(ChromiumPage::close);
        watch.close();
        host.close();
        try {
            for (ChromiumPage page : pages) {
                page.awaitEnd();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The browser process while it runs. */
    Optional<ProcessHandle> browserProcess() {
        return host.running().map(running -> running.browser().process());
    }
}
