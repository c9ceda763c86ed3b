package touchline.api.app;

import java.util.Map;
import touchline.config.ServerConfig;
import touchline.media.net.AddressRules;
import touchline.overlay.page.ChromiumRenderer;
import touchline.overlay.page.PageRenderer;
import touchline.overlay.scoreboard.ScoreboardSite;
import touchline.overlay.scoreboard.ScoreboardSource;

/** Creates the renderer of web pages. The server closes it. */
@FunctionalInterface
interface Pages {
    /** Chromium, which also finds the scoreboard pages of this server. */
    Pages CHROMIUM =
            (config, rules, scoreboards) ->
                    new ChromiumRenderer(
                            config.overlay(),
                            rules,
                            Map.of(ScoreboardSite.HOST, new ScoreboardSite(scoreboards)));

    PageRenderer open(ServerConfig config, AddressRules rules, ScoreboardSource scoreboards);
}
