def render_json(blame, resampling):
    return ""
