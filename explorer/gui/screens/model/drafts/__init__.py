"""The Draft bench of the Model screen: would drafts from this corpus make a model write faster?"""
